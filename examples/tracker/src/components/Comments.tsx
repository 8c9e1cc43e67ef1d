import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { useController, useSubscription, useSuspense } from 'restitch/react';
import type { Comment } from '../api/entities.js';
import { CommentResource, currentUserId } from '../api/resources.js';
import { useNavigation } from '../state/place.js';
import { attempt } from '../state/toasts.js';
import { Avatar } from './Avatar.js';
import { ShortDate } from './ShortDate.js';
import { Glyph } from './icons.js';

export function Comments({ issueId }: { issueId: number }) {
  const controller = useController();
  const { isLive } = useNavigation();
  const comments = useSuspense(CommentResource.getList, { issueId });
  useSubscription(CommentResource.getList, isLive ? { issueId } : null);

  const add = (body: string) =>
    attempt(
      'Could not add the comment',
      controller.fetch(CommentResource.getList.push, { issueId }, { body, author: currentUserId }),
    );
  const remove = (comment: Comment) =>
    attempt(
      'Could not delete the comment',
      controller.fetch(CommentResource.delete, { issueId, id: comment.id }),
    );

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
                  onClick={() => void remove(comment)}
                >
                  <Glyph name="trash" />
                </button>
              )}
              <p>{comment.body}</p>
            </div>
          </li>
        ))}
      </ol>
      <CommentForm onAdd={add} />
    </section>
  );
}

function CommentForm({ onAdd }: { onAdd: (body: string) => Promise<boolean> }) {
  const [text, setText] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const body = text.trim();
    if (body === '') return;
    setText('');
    // What the server did not take is the writer's again, unless something new was begun meanwhile.
    if (!(await onAdd(body))) setText((current) => current || body);
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
