import { Button, Group } from '@mantine/core';
import type { ReactElement } from 'react';
import { basePath } from '../../base-path.js';

interface ConflictActionsProps {
  /** The path of the view that shows the other version. */
  readonly path: string;
  readonly onDiscard: () => void;
  readonly onOverwrite: () => void;
}

/** Shows what somebody else saved, and resolves the conflict in favour of either version. */
export const ConflictActions = ({ path, onDiscard, onOverwrite }: ConflictActionsProps): ReactElement => (
  <>
    <p>
      <OtherVersion path={path} />, then discard your changes or overwrite theirs.
    </p>
    <Group gap="xs" mt="sm">
      <Button size="xs" variant="default" onClick={onDiscard}>
        Discard my changes
      </Button>
      <Button size="xs" variant="default" onClick={onOverwrite}>
        Overwrite with mine
      </Button>
    </Group>
  </>
);

/** A link to the stored version, beside the one that is being edited. */
export const OtherVersion = ({ path }: { readonly path: string }): ReactElement => (
  <a href={`${basePath}${path}`} target="_blank" rel="noreferrer">
    Look at their version in a new tab
  </a>
);
