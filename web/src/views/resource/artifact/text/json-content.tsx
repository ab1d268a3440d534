import type { ReactElement } from 'react';
import { JsonTree } from '../../../../parts/json-tree/json-tree.js';
import { ContentTools } from '../content-tools.js';
import type { ShownArtifact } from '../shown-artifact.js';
import classes from '../artifact-dialog.module.css';

interface JsonContentProps {
  readonly shown: ShownArtifact;
  readonly value: unknown;
}

export function JsonContent({ shown, value }: JsonContentProps): ReactElement {
  return (
    <>
      <ContentTools shown={shown} text={() => JSON.stringify(value, null, 2)} />
      <JsonTree value={value} label="Content" className={classes.pane} />
    </>
  );
}
