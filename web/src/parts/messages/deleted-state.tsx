import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { EmptyState } from './empty-state.js';

interface DeletedStateProps {
  /** What it was, such as "plugin". */
  readonly kind: string;
  readonly name: string;
  /** The list that it was in. */
  readonly list: string;
}

/** Shown in place of something that somebody else deleted. */
export function DeletedState({ kind, name, list }: DeletedStateProps): ReactElement {
  return (
    <EmptyState
      isWholeView
      title={`This ${kind} was deleted`}
      action={
        <Button component={Link} href={`/${list}`} variant="default">
          Back to {list}
        </Button>
      }
    >
      “<bdi>{name}</bdi>” was deleted while this page was open.
    </EmptyState>
  );
}
