import { IconArrowRight } from '@tabler/icons-react';
import { Fragment, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { Pipeline } from '@knowledge-warehouse/client';
import { Notice } from '../parts/messages/notice.js';
import classes from './pipeline-note.module.css';

interface PipelineNoteProps {
  readonly type: string;
  /** Undefined: no pipeline has this type. */
  readonly pipeline: Pipeline | undefined;
}

/** Shows what happens to resources of a type: which steps run, or that none do. */
export function PipelineNote({ type, pipeline }: PipelineNoteProps): ReactElement | null {
  if (type === '') return null;
  if (pipeline === undefined) {
    return (
      <Notice tone="amber" role="status" title="No steps will run">
        No pipeline has the type “<bdi>{type}</bdi>”: new resources stay pending until you create one.{' '}
        <Link href={`/pipelines/new?trigger_type=${encodeURIComponent(type)}`}>Create pipeline</Link>
      </Notice>
    );
  }
  return (
    <div className={classes.note} role="status">
      <p className={classes.title}>
        Steps of the pipeline <bdi>{pipeline.name}</bdi> that will run
      </p>
      <ol className={classes.steps} aria-label="Steps that will run">
        {pipeline.steps.map(({ plugin_id }, index) => (
          <Fragment key={index}>
            {index > 0 && (
              <li aria-hidden className={classes.arrow}>
                <IconArrowRight size={15} stroke={1.6} />
              </li>
            )}
            <li className={classes.step}>{plugin_id}</li>
          </Fragment>
        ))}
      </ol>
    </div>
  );
}
