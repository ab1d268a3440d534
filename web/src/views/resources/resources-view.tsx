import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconRefresh } from '@tabler/icons-react';
import { lazy, Suspense, useState, type ReactElement } from 'react';
import { useResources } from '../../api/resources.js';
import { AllowedButton } from '../../parts/allowed-button.js';
import { PageHeader } from '../../parts/page-header.js';
import { DropTarget } from './add/drop-target.js';
import { UploadsButton } from './add/uploads-button.js';
import { useFilter } from './filter.js';
import { FilterBar } from './filter-bar.js';
import { ResourceList } from './resource-list.js';

const AddDialog = lazy(() => import('./add/add-dialog.js'));
const BulkDialog = lazy(() => import('./bulk-dialog.js'));

/** All resources: finding them, adding to them, and what can be done with many at once. */
export function ResourcesView(): ReactElement {
  const { filter, change, clear, isFiltered } = useFilter();
  const resources = useResources(filter);
  const [isAdding, adding] = useDisclosure(false);
  const [isBulk, bulk] = useDisclosure(false);
  const [dropped, setDropped] = useState<readonly File[]>([]);

  const drop = (files: readonly File[]): void => {
    setDropped(files);
    adding.open();
  };
  const closeAdding = (): void => {
    adding.close();
    setDropped([]);
  };
  const add = (
    <AllowedButton scope="write" leftSection={<IconPlus size={17} aria-hidden />} onClick={adding.open}>
      Add resources
    </AllowedButton>
  );
  return (
    <DropTarget onFiles={drop}>
      <PageHeader
        title="Resources"
        description="Files and URLs, and how far each has got through its pipeline."
        actions={
          <>
            <UploadsButton onClick={adding.open} />
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
        cursor={filter.cursor ?? null}
        isFiltered={isFiltered}
        add={add}
        onClear={clear}
        onPage={(cursor) => change({ cursor })}
      />
      <Suspense>
        {isAdding && <AddDialog files={dropped} onClose={closeAdding} />}
        {isBulk && <BulkDialog filter={filter} onClose={bulk.close} />}
      </Suspense>
    </DropTarget>
  );
}
