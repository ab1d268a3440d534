import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconRefresh } from '@tabler/icons-react';
import { lazy, Suspense, type ReactElement } from 'react';
import { useAdding } from '../../adding/adding.js';
import { UploadsButton } from '../../adding/uploads-button.js';
import { useResources } from '../../api/resources.js';
import { AllowedButton } from '../../parts/allowed-button.js';
import { PageHeader } from '../../parts/page-header.js';
import { useFilter } from './filter.js';
import { FilterBar } from './filter-bar.js';
import { ResourceList } from './resource-list.js';

const BulkDialog = lazy(() => import('./bulk-dialog.js'));

/** All resources: finding them, adding to them, and what can be done with many at once. */
export function ResourcesView(): ReactElement {
  const { filter, sort, limit, cursor, change, clear, isFiltered } = useFilter();
  const resources = useResources({ filter, sort, limit, cursor });
  const openAdding = useAdding();
  const [isBulk, bulk] = useDisclosure(false);
  const add = (
    <AllowedButton scope="write" leftSection={<IconPlus size={17} aria-hidden />} onClick={openAdding}>
      Add resources
    </AllowedButton>
  );
  return (
    <>
      <PageHeader
        title="Resources"
        description="Files and URLs, and how far each has got through its pipeline."
        actions={
          <>
            <UploadsButton onClick={openAdding} />
            <AllowedButton
              scope="write"
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={bulk.open}
            >
              Reprocess many
            </AllowedButton>
            {add}
          </>
        }
      />
      <FilterBar filter={filter} isFiltered={isFiltered} onChange={change} onClear={clear} />
      <ResourceList
        query={resources}
        cursor={cursor}
        sort={sort}
        limit={limit}
        isFiltered={isFiltered}
        add={add}
        onClear={clear}
        onChange={change}
      />
      <Suspense>{isBulk && <BulkDialog filter={filter} onClose={bulk.close} />}</Suspense>
    </>
  );
}
