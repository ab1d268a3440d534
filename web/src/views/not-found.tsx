import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../parts/messages/empty-state.js';
import { PageTitle } from '../parts/layout/page-title.js';

export function NotFound(): ReactElement {
  return (
    <>
      <PageTitle>Not found</PageTitle>
      <EmptyState
        isWholeView
        title="Page not found"
        action={
          <Button component={Link} href="/resources">
            Back to resources
          </Button>
        }
      >
        It may have been deleted, or the address is mistyped.
      </EmptyState>
    </>
  );
}
