import { useState } from 'react';
import { useMutation } from 'restitch/react';
import type { User } from '../api/entities.js';
import { UserResource } from '../api/resources.js';
import { useNavigation } from '../state/place.js';
import { Avatar } from './Avatar.js';
import { EditableText } from './EditableText.js';
import { Glyph } from './icons.js';

/** One of the team: choosing it shows what it is assigned to; the pencil renames it, everywhere at once. */
export function TeamMember({ user }: { user: User }) {
  const { mutate } = useMutation(UserResource.partialUpdate);
  const { filters, filter } = useNavigation();
  const [isRenaming, setRenaming] = useState(false);
  const isChosen = filters.assignee === String(user.id);

  // One request. Lists, the detail pane, comments and menus show the user by reference, so they all follow.
  const rename = (name: string) => {
    setRenaming(false);
    if (name === user.name) return;
    mutate({ id: user.id }, { name });
  };

  if (isRenaming) {
    return (
      <li className="member">
        <div className="entry">
          <Avatar user={user} />
          <EditableText
            label={`New name of ${user.name}`}
            value={user.name}
            maxLength={60}
            onSave={rename}
            onCancel={() => setRenaming(false)}
            autoFocus
          />
        </div>
      </li>
    );
  }
  return (
    <li className="member">
      <button
        type="button"
        className="entry"
        aria-current={isChosen}
        onClick={() => filter({ assignee: isChosen ? undefined : String(user.id) })}
      >
        <Avatar user={user} /> <span className="name">{user.name}</span>
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`Rename ${user.name}`}
        title="Rename"
        onClick={() => setRenaming(true)}
      >
        <Glyph name="pencil" />
      </button>
    </li>
  );
}
