import { X } from 'lucide-react';
import { services, useApp } from '../state/app-store';

/** Work under way, each with its progress and a way to end it. */
export function JobList() {
  const jobs = useApp((app) => app.state.jobs);
  return jobs.map(({ id, title, progress }) => (
    <span key={id} className="status-job">
      <span className="status-job-title">{title}</span>
      <progress aria-label={title} max={1} {...(progress !== null && { value: progress })} />
      <button
        type="button"
        className="status-button"
        aria-label={`Cancel: ${title}`}
        onClick={() => void services().api.cancelJob(id)}
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  ));
}
