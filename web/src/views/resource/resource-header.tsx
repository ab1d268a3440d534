import type { ReactElement } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Resource } from '@knowledge-warehouse/client';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { BackLink } from '../../parts/layout/back-link.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { actionsFor, type ActionName } from '../../parts/resource-actions/actions.js';
import { ResourceDialogs } from '../../parts/resource-actions/resource-dialogs.js';
import { ResourceMenu } from '../../parts/resource-actions/resource-menu.js';
import { useResourceActions } from '../../parts/resource-actions/use-resource-actions.js';
import { StatusBadge } from '../../parts/status/status-badge.js';

interface ResourceHeaderProps {
  readonly resource: Resource;
  readonly etag: string | null;
}

const buttons: readonly ActionName[] = ['cancel', 'resume', 'reprocess'];

/** The name, the state and the most common actions of a resource. */
export function ResourceHeader({ resource, etag }: ResourceHeaderProps): ReactElement {
  const [, navigate] = useLocation();
  // A hit was opened: its address has the parameters of its search.
  const search = useSearchParams()[0].get('search');
  const { carryOut, isPending } = useResourceActions(resource);
  const offered = actionsFor(resource);
  // A running resource can only be cancelled; the other actions return afterwards.
  const shown = buttons.filter((name) => resource.status !== 'PROCESSING' || name === 'cancel');
  return (
    <PageHeader
      title={resource.name}
      back={
        search === null ? (
          <BackLink to="/resources">Resources</BackLink>
        ) : (
          <BackLink to={`/search?${search}`}>Search results</BackLink>
        )
      }
      state={<StatusBadge status={resource.status} />}
      actions={
        <>
          {offered
            .filter(({ name }) => shown.includes(name))
            .toReversed()
            .map(({ name, label, Icon, refusal }) => (
              <AllowedButton
                key={name}
                scope="write"
                variant="default"
                refusal={refusal}
                loading={isPending}
                leftSection={<Icon size={16} stroke={1.8} aria-hidden />}
                onClick={() => carryOut(name)}
              >
                {label}
              </AllowedButton>
            ))}
          <ResourceDialogs etag={etag} onDeleted={() => navigate('/resources')}>
            <ResourceMenu resource={resource} without={shown} />
          </ResourceDialogs>
        </>
      }
    />
  );
}
