import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { useMutation, useSubscription, useSuspense } from 'restitch/react';
import { CommentResource, currentUserId } from '../api/resources.js';
import { useNavigation } from '../state/place.js';
import { Avatar } from './Avatar.js';
import { ShortDate } from './ShortDate.js';
import { Glyph } from './icons.js';

export function Comments({ issueId }: { issueId: number }) {
  const { isLive } = useNavigation();
  const comments = useSuspense(CommentResource.getList, { issueId });
  useSubscription(CommentResource.getList, isLive ? { issueId } : null);

  const { mutateAsync: add } = useMutation(CommentResource.getList.push);
  const { mutate: remove } = useMutation(CommentResource.delete);

  return (
    <section className="comment-list" aria-label="Comments">
      <h3>
        Comments <span className="count">{comments.length}</span>
      </h3>
      <ol>
        {comments.map((comment) => (
          <li key={comment.pk()} className="comment" data-saved={comment.isSaved}>
            <Avatar user={comment.author} />
            <div>
              <span className="name">{comment.author.name}</span>{' '}
              <ShortDate date={comment.createdAt} />
              {comment.isSaved && (
                <button
                  type="button"
                  className="icon-button"
                  aria-label="Delete comment"
                  onClick={() => remove({ issueId, id: comment.id })}
                >
                  <Glyph name="trash" />
                </button>
              )}
              <p>{comment.body}</p>
            </div>
          </li>
        ))}
      </ol>
      <CommentForm onAdd={(body) => add({ issueId }, { body, author: currentUserId })} />
    </section>
  );
}

function CommentForm({ onAdd }: { onAdd: (body: string) => Promise<unknown> }) {
  const [text, setText] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const body = text.trim();
    if (body === '') return;
    setText('');
    // A refused comment returns to the field, unless something new was begun meanwhile.
    await onAdd(body).catch(() => setText((current) => current || body));
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      event.currentTarget.form?.requestSubmit();
  };
  return (
    <form className="comment-form" onSubmit={(event) => void submit(event)}>
      <textarea
        aria-label="New comment"
        placeholder="Leave a comment…"
        value={text}
        maxLength={4000}
        rows={2}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
      <button className="button" disabled={text.trim() === ''}>
        Comment
      </button>
    </form>
  );
}
