import { IconChevronLeft, IconChevronRight, IconHistory } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useAudit } from '../../api/audit.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { useRefusal } from '../../parts/actions/permission.js';
import { SmallButton } from '../../parts/actions/small-button.js';
import { useAuditAddress, type AuditAddress } from './address.js';
import { AuditFilter } from './audit-filter.js';
import { AuditTable } from './audit-table.js';
import classes from './audit-view.module.css';

/** The audit log, for users allowed to see it. */
export default function AuditView(): ReactElement {
  const refusal = useRefusal('admin');
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Every change made through the API, newest first, with its key and address."
      />
      {refusal === null ? <Log /> : <EmptyState title="Only admin keys can see this">{refusal}</EmptyState>}
    </>
  );
}

function Log(): ReactElement {
  const { filter, cursor, query, change } = useAuditAddress();
  const audit = useAudit(query);
  return (
    <>
      <AuditFilter filter={filter} change={change} />
      {audit.data === undefined && <LoadingState query={audit} listLabel="Loading the audit log" />}
      {audit.data?.items.length === 0 && (
        <EmptyState title="No change matches" icon={<IconHistory size={26} stroke={1.6} />}>
          Entries are kept for a limited time. They record changes only, not reads.
        </EmptyState>
      )}
      {audit.data !== undefined && audit.data.items.length > 0 && <AuditTable entries={audit.data.items} />}
      <Pages cursor={cursor} nextCursor={audit.data?.next_cursor ?? null} change={change} />
    </>
  );
}

interface PagesProps extends Pick<AuditAddress, 'cursor' | 'change'> {
  readonly nextCursor: string | null;
}

/** Links to older changes and to the newest ones. The browser's Back opens the previous page. */
function Pages({ cursor, nextCursor, change }: PagesProps): ReactElement | null {
  if (cursor === null && nextCursor === null) return null;
  return (
    <nav className={classes.pages} aria-label="Pages">
      {cursor !== null && (
        <SmallButton Icon={IconChevronLeft} onClick={() => change({ cursor: '' })}>
          Newest
        </SmallButton>
      )}
      {nextCursor !== null && (
        <SmallButton Icon={IconChevronRight} isOnwards onClick={() => change({ cursor: nextCursor })}>
          Older
        </SmallButton>
      )}
    </nav>
  );
}
