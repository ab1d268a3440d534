import type { ReactElement } from 'react';
import { JsonTree } from '../../../parts/json-tree/json-tree.js';
import { ContentTools } from './content-tools.js';
import classes from './artifact-dialog.module.css';

/** JSON as a tree. */
export function JsonContent({
  value,
  fileName,
}: {
  readonly value: unknown;
  readonly fileName: string;
}): ReactElement {
  return (
    <>
      <ContentTools
        text={() => JSON.stringify(value, null, 2)}
        fileName={`${fileName}.json`}
        mediaType="application/json"
      />
      <JsonTree value={value} label="Content" className={classes.pane} />
    </>
  );
}
