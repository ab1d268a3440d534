import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../parts/empty-state.js';
import { PageTitle } from '../parts/page-title.js';

export function NotFound(): ReactElement {
  return (
    <>
      <PageTitle>Not found</PageTitle>
      <EmptyState
        isWholeView
        title="There is nothing at this address"
        action={
          <Button component={Link} href="/resources">
            To the resources
          </Button>
        }
      >
        What was here may have been deleted, or the address has a mistake in it.
      </EmptyState>
    </>
  );
}
