// @ts-check
/** The theme of the site: that of VitePress, with examples to run. */
import theme from 'vitepress/theme';
import LiveExample from './LiveExample.vue';

export default {
  extends: theme,
  /** @param {{ app: import('vue').App }} site */
  enhanceApp({ app }) {
    app.component('LiveExample', LiveExample);
  },
};
