import axios, { type AxiosResponse } from 'axios';
import { Entity, type RestEndpoint, type RestGenerics, resource } from 'restitch';
import { axiosEndpoint } from 'restitch/axios';
import { type Equal, same } from './support.js';

class User extends Entity {
  id = '';
}

class Api<O extends RestGenerics = any> extends axiosEndpoint(axios.create())<O> {}

// A class over an instance has the types of `RestEndpoint`
const getUser = new Api({ path: '/users/:id', schema: User, axiosConfig: { maxRedirects: 0 } });
same<Equal<Parameters<typeof getUser>, [{ id: string | number }]>>();
const asEndpoint: RestEndpoint = getUser;
void asEndpoint;
// @ts-expect-error -- the path has no such parameter
void getUser({ name: 5 });

// It is the class of a resource
const UserResource = resource({ path: '/users/:id', schema: User, Endpoint: Api });
same<Equal<Parameters<typeof UserResource.get>, [{ id: string | number }]>>();

// @ts-expect-error -- an instance, and not its base URL
axiosEndpoint('https://api.example.com');

// A whole response is one of axios, unless `process` says otherwise
const getWhole = new Api({ path: '/users', wholeResponse: true });
same<Equal<Awaited<ReturnType<typeof getWhole>>, AxiosResponse>>();
const getOwn = new (axiosEndpoint(axios.create()))({ path: '/users', wholeResponse: true });
same<Equal<Awaited<ReturnType<typeof getOwn>>, AxiosResponse>>();
const getStatus = new Api({
  path: '/users',
  wholeResponse: true,
  process: (response: AxiosResponse) => response.status,
});
same<Equal<Awaited<ReturnType<typeof getStatus>>, number>>();

// @ts-expect-error -- the store would hold headers and tokens
void new Api({ path: '/users/:id', schema: User, wholeResponse: true });
// @ts-expect-error -- an option that is no boolean
void new Api({ path: '/users', wholeResponse: 'yes' });
// @ts-expect-error -- an option that axios does not have as a text
void new Api({ path: '/users', axiosConfig: { timeout: 'long' } });
