// @ts-check
/** Leaves alone what is said to people: codes and names are promised, the words of a message are not. */
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Several words. Whatever a program reads, a code, a key or a header, has no blank between two words. */
const SENTENCE = /[\w`,:;.)] [\w`(]/;

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'messages', {
    shouldIgnore({ node }) {
      const text =
        node.type === 'StringLiteral'
          ? node.value
          : node.type === 'TemplateLiteral'
            ? node.quasis.map(({ value }) => value.raw).join('…')
            : '';
      return SENTENCE.test(text) ? 'the text of a message' : undefined;
    },
  }),
];
