"""Keep the keyboard where it was when a part of the page is shown anew."""

# whoever moves by keys would begin at the top of the page again: an element of the same name takes the focus over
KEEP_FOCUS = """<script>
(() => {
  let last = null;
  const nameOf = one => one.getAttribute("aria-label") || one.labels?.[0]?.getAttribute("aria-label")
    || one.labels?.[0]?.innerText || one.innerText || "";
  const alike = one => [...document.querySelectorAll(last?.tag ?? one.tagName)].filter(
    other => nameOf(other) === (last?.name ?? nameOf(one)));
  document.addEventListener("focusin", event => {
    last = null;
    const one = event.target, place = alike(one).indexOf(one);
    last = {element: one, tag: one.tagName, name: nameOf(one), place, gone: 0};
  });
  document.addEventListener("focusout", event => {
    const left = last;
    setTimeout(() => { if (last === left && left?.element.isConnected) last = null; });
  });
  const restore = () => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    last.gone ||= Date.now();
    if (Date.now() - last.gone > 3000) { last = null; return; }
    const found = alike(), again = found[last.place] ?? found[0];
    if (again && !again.closest("[disabled]")) again.focus();
  };
  document.addEventListener("DOMContentLoaded", () =>
    new MutationObserver(restore).observe(document.body, {childList: true, subtree: true}));
})();
</script>"""
