// A list is opened only after the server has said what it offers now, and stays as it is while it is open.
// An empty one is not shown, and does not say when it is closed.
export default {
  props: ["options", "answered"],
  emits: ["update:model-value", "asks"],
  template: `
    <q-select ref="qRef" :options="shown" @filter="filter" @popup-show="isOpen = true" @popup-hide="isOpen = false"
      @blur="isOpen = false"
      @update:model-value="chosen => $emit('update:model-value', chosen)">
      <template v-for="(_, slot) in $slots" v-slot:[slot]="given"><slot :name="slot" v-bind="given || {}" /></template>
    </q-select>`,
  data() {
    return { offered: this.options, shown: this.options, isOpen: false, asked: 0, open: null };
  },
  methods: {
    filter(typed, update) {
      if (this.isOpen && this.shown.length) return update(() => this.show(typed));
      this.asked += 1;
      this.open = () => update(() => this.show(typed, this.options));
      this.$emit("asks", this.asked);
    },
    show(typed, offered = this.offered) {
      const sought = typed.toLocaleLowerCase(), place = one => String(one.label).toLocaleLowerCase().indexOf(sought);
      this.offered = offered;
      this.shown = offered.filter(one => place(one) >= 0).sort((one, other) => !!place(one) - !!place(other));
    },
  },
  watch: {
    answered(number) {
      if (number === this.asked) this.open?.();
    },
  },
};
