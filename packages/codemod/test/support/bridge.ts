import { RestEndpoint } from 'restitch';

/** What the conversion takes for granted of `axiosEndpoint`: the least that its programs need. */
interface Instance {
  request(config: Record<string, unknown>): Promise<unknown>;
}

interface Config {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly [option: string]: unknown;
}

const isResponse = (value: unknown): value is { readonly data: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  ['data', 'status', 'headers', 'config'].every((name) => name in value);

/**
 * A stand-in for `axiosEndpoint` of `restitch/axios`: requests go through the instance, with the endpoint's path, search parameters
 * and body, and with `axiosConfig` as the rest of the config.
 */
export function axiosEndpoint(instance: Instance): typeof RestEndpoint {
  class Bridge extends RestEndpoint<any> {
    declare readonly axiosConfig?: Config;

    // axios writes the parameters.
    override searchToString(): string {
      return '';
    }

    override async fetch(...args: any): Promise<any> {
      const given: readonly unknown[] = args;
      const { path, method, axiosConfig } = this;
      const names = [...`${path ?? ''}`.matchAll(/(?<!\\):(\w+)/g)].map(([, name]) => name ?? '');
      const takesBody =
        'body' in this ? this.body !== undefined : !/^(GET|HEAD|DELETE)$/.test(method);
      const single = takesBody && given.length < 2 && names.length === 0;
      const [params, body] = single ? [undefined, given[0]] : given;
      const url = this.url(...args);
      const search = Object.entries(params ?? {}).filter(([name]) => !names.includes(name));
      const own = path !== undefined && search.length > 0;
      const response = await instance.request({
        ...axiosConfig,
        method,
        url: path === undefined ? url : url.split('?')[0],
        ...(own && { params: { ...axiosConfig?.params, ...Object.fromEntries(search) } }),
        ...(takesBody && body !== undefined && { data: body }),
      });
      return this.process(isResponse(response) ? response.data : response, ...args);
    }
  }
  return Bridge as unknown as typeof RestEndpoint;
}
