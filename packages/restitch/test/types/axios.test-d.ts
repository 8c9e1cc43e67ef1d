import axios from 'axios';
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
