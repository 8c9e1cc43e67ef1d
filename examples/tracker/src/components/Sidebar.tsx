import { AsyncBoundary, useSuspense } from 'restitch/react';
import { ProjectResource, UserResource } from '../api/resources.js';
import { useNavigation } from '../state/place.js';
import { hueStyle } from './Avatar.js';
import { LoadError } from './Feedback.js';
import { SecondWindow } from './SecondWindow.js';
import { TeamMember } from './TeamMember.js';
import { ThemeButton } from './ThemeButton.js';
import { Glyph } from './icons.js';

export function Sidebar({ onCreate }: { onCreate: () => void }) {
  return (
    <nav className="sidebar" aria-label="Projects and team">
      <header className="brand">
        <img src="/icon.svg" alt="" width="22" height="22" />
        <strong>Tracker</strong>
        <span>restitch demo</span>
        <ThemeButton />
      </header>
      <button type="button" className="button create" onClick={onCreate}>
        <Glyph name="plus" /> New issue <kbd>C</kbd>
      </button>
      <AsyncBoundary fallback={<p className="quiet">Loading…</p>} errorComponent={LoadError}>
        <Projects />
        <Team />
      </AsyncBoundary>
      <p className="hint">
        <strong>Try it:</strong> rename somebody <Glyph name="pencil" />, type in a title, delete an
        issue and undo it, then all of it with high latency and failures.
        <SecondWindow />
      </p>
    </nav>
  );
}

function Projects() {
  const projects = useSuspense(ProjectResource.getList);
  const { filters, filter } = useNavigation();
  const openCount = projects.reduce((sum, project) => sum + project.openCount, 0);
  return (
    <section aria-labelledby="projects">
      <h2 id="projects">
        Projects <span className="count">open issues</span>
      </h2>
      <ul>
        <li>
          <button
            type="button"
            className="entry"
            aria-current={!filters.project}
            onClick={() => filter({ project: undefined })}
          >
            <span className="dot dot-all" /> All projects
            <span className="count" title="Open issues">
              {openCount.toLocaleString('en')}
            </span>
          </button>
        </li>
        {projects.map((project) => (
          <li key={project.id}>
            <button
              type="button"
              className="entry"
              aria-current={filters.project === project.id}
              onClick={() => filter({ project: project.id })}
            >
              <span className="dot" style={hueStyle(project.hue)} /> {project.name}
              <span className="count" title="Open issues">
                {project.openCount.toLocaleString('en')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Team() {
  const users = useSuspense(UserResource.getList);
  return (
    <section aria-labelledby="team">
      <h2 id="team">Team</h2>
      <ul>
        {users.map((user) => (
          <TeamMember key={user.id} user={user} />
        ))}
      </ul>
    </section>
  );
}
