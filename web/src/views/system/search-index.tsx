import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useSearchStatus } from '../../api/search.js';
import { Card } from '../../parts/layout/card.js';
import { Fact, Facts } from '../../parts/layout/facts.js';
import { formatCount, plural } from '../../parts/format.js';
import { Ago } from '../../parts/time.js';
import { PartState } from './part-state.js';
import classes from './system-view.module.css';

/** The state of the search index, and how much is not indexed yet. */
export function SearchIndex(): ReactElement | null {
  const { data } = useSearchStatus();
  if (data === undefined) return null;
  const { available, problem, resources, chunks, failed, failures, pending, oldest_pending_at, rebuild } =
    data;
  return (
    <Card heading="Search index">
      <Facts>
        <Fact name="State">
          <PartState check={{ status: available ? 'ok' : 'error', message: problem ?? 'Unavailable' }} />
        </Fact>
        <Fact name="Holds">
          {plural(resources, 'resource')}, {plural(chunks, 'chunk')}
        </Fact>
        {failed > 0 && (
          <Fact name="Not indexed">
            {plural(failed, 'resource')}
            {failed > failures.length && ', the newest:'}
            <ul className={classes.failures}>
              {failures.map(({ resource_id, name, error }) => (
                <li key={resource_id}>
                  <Link href={`/resources/${resource_id}`}>
                    <bdi>{name}</bdi>
                  </Link>
                  : <bdi>{error}</bdi>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="Pending">
          {plural(pending, 'change')}
          {oldest_pending_at !== null && (
            <>
              , the oldest from <Ago at={oldest_pending_at} />
            </>
          )}
        </Fact>
        {rebuild !== null && (
          <Fact name="Rebuild">
            {formatCount(rebuild.resources)} of {plural(rebuild.total, 'resource')}
          </Fact>
        )}
      </Facts>
    </Card>
  );
}
