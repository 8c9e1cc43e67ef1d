/** Writes down what is done with a response. */
import type { Call } from './program.js';

/** Statements, the value after them, and whether that is a promise. */
export function consume(
  call: Call,
  request: string,
  axios: string,
): readonly [setup: readonly string[], value: string, promised: boolean] {
  switch (call.result) {
    case 'await data':
      return [[], `(await ${request}).data`, false];
    case 'await member of data':
      return [[], `(await ${request}).data.name`, false];
    case 'destructured':
      return [[`const { data } = await ${request};`], 'data', false];
    case 'destructured and renamed':
      return [[`const { data: found } = await ${request};`], 'found', false];
    case 'destructured deeply':
      return [[`const { data: { name, ...others } } = await ${request};`], '[name, others]', false];
    case 'variable, only data read':
      return [
        [`const response = await ${request};`, 'if (!response.data) return response.data;'],
        '[response.data, 1]',
        false,
      ];
    case 'variable assigned later':
      return [['let response;', `response = await ${request};`], 'response.data', false];
    case 'then arrow':
      return [[], `${request}.then((response) => response.data)`, true];
    case 'then destructured':
      return [[], `${request}.then(({ data }) => data)`, true];
    case 'then function':
      return [[], `${request}.then(function (response) {\n  return response.data;\n})`, true];
    case 'then and catch':
      return [
        [],
        `${request}\n  .then((response) => response.data)\n  .catch(() => 'failed')`,
        true,
      ];
    case 'then twice':
      return [[], `${request}.then((response) => response.data).then((data) => data.name)`, true];
    case 'Promise.all':
      return [
        [
          `const [first, second] = await Promise.all([\n  ${request},\n  ${axios}.get('https://api.example.com/v1/list'),\n]);`,
        ],
        '[first.data, second.data]',
        false,
      ];
    case 'destructured with a default':
      return [[`const { data = 1 } = await ${request};`], 'data', false];
    case 'then and catch status':
      return [
        [],
        `${request}\n  .then((response) => response.data)\n  .catch((error) => error.response?.status)`,
        true,
      ];
    case 'then with two handlers':
      return [[], `${request}.then((response) => response.data, () => 'failed')`, true];
    case 'then and finally':
      return [[], `${request}.then((response) => response.data).finally(() => keep(1))`, true];
    case 'unused':
      return [[`await ${request};`], "'done'", false];
    case 'response returned':
      return [[], request, true];
    case 'response passed on':
      return [[`const response = await ${request};`], 'keep(response)', false];
    case 'status read':
      return [[`const response = await ${request};`], '[response.status, response.data]', false];
    case 'status destructured':
      return [[`const { data, status } = await ${request};`], '[status, data]', false];
    case 'then status':
      return [[], `${request}.then((response) => response.status)`, true];
  }
}
