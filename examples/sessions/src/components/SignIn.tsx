import { type FormEvent, useState } from 'react';
import { enter } from '../api/signIn.js';

export function SignIn() {
  const [problem, setProblem] = useState('');
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    try {
      await enter(String(form.get('name')), String(form.get('password')));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <input name="name" aria-label="Name" autoComplete="username" />
      <input name="password" aria-label="Password" type="password" />
      <button>Sign in</button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
