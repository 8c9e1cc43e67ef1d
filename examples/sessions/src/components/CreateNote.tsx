import { isNetworkError } from 'restitch';
import { useController } from 'restitch/react';
import { type FormEvent, useState } from 'react';
import { Notes, Problem } from '../api/notes.js';
import { textOf } from './textOf.js';
import { useAction } from './useAction.js';

/** Each mistake that the server reports stands next to its field; the typed text stays. */
export function CreateNote() {
  const controller = useController();
  const [errors, setErrors] = useState<{ title?: string; body_text?: string }>({});
  const [run, problem] = useAction();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    run(() => create(form));
  };
  const create = async (form: HTMLFormElement): Promise<void> => {
    const note = { title: textOf(form, 'title'), text: textOf(form, 'text') };
    try {
      await controller.fetch(Notes.getList.push, note);
      setErrors({});
      form.reset();
    } catch (error) {
      if (!isNetworkError(error, Problem)) throw error;
      setErrors(error.body.errors);
    }
  };
  return (
    <form onSubmit={submit}>
      <input name="title" aria-label="Title" aria-invalid={errors.title !== undefined} />
      {errors.title && <span className="wrong">Title {errors.title}</span>}
      <input name="text" aria-label="Text" aria-invalid={errors.body_text !== undefined} />
      {errors.body_text && <span className="wrong">Text {errors.body_text}</span>}
      <button>Add note</button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
