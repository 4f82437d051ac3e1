// A text that the server sets was chosen before it heard of what was typed since: it takes the place of nothing newer.
// `given` is the text with the number of the last edit that the server had heard of.
export default {
  props: ["given", "value", "id"],
  emits: ["update:value"],
  template: `
    <q-input ref="qRef" :model-value="text" @update:model-value="type">
      <template v-for="(_, slot) in $slots" v-slot:[slot]="its"><slot :name="slot" v-bind="its || {}" /></template>
    </q-input>`,
  data() {
    return { text: this.given.text, edits: this.given.heard };
  },
  beforeUnmount() {
    const element = mounted_app.elements[this.id.slice(1)];
    if (element) element.props.given = { text: this.text, heard: this.edits };
  },
  methods: {
    type(text) {
      this.text = text;
      this.edits += 1;
      this.$emit("update:value", { text, edit: this.edits });
    },
  },
  watch: {
    given(told) {
      if (told.heard >= this.edits) this.text = told.text;
    },
  },
};
