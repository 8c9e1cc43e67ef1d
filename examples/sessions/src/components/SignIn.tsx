import type { FormEvent } from 'react';
import { enter } from '../api/signIn.js';
import { textOf } from './textOf.js';
import { useAction } from './useAction.js';

export function SignIn() {
  const [run, problem] = useAction();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    run(() => enter(textOf(form, 'name'), textOf(form, 'password')));
  };
  return (
    <form onSubmit={submit}>
      <input name="name" aria-label="Name" autoComplete="username" />
      <input name="password" aria-label="Password" type="password" />
      <button>Sign in</button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
