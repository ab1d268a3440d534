import type { ReactElement } from 'react';
import type { System } from '@knowledge-warehouse/client';
import { Card } from '../../parts/layout/card.js';
import { Copyable, Fact, Facts } from '../../parts/layout/facts.js';

const names = {
  public_url: 'API',
  database: 'Database',
  temporal: 'Temporal',
  temporal_namespace: 'Namespace',
  temporal_ui: 'Temporal UI',
  object_store: 'Objects',
  search_index: 'Search index',
  data_dir: 'Data folder',
} as const;

interface AddressesProps {
  readonly addresses: NonNullable<System['addresses']>;
}

/** The addresses of the service's parts, for admins. */
export const Addresses = ({ addresses }: AddressesProps): ReactElement => (
  <Card heading="Addresses">
    <Facts>
      {Object.entries(names).map(([key, name]) => {
        const address = addresses[key as keyof typeof names];
        return (
          address !== null && (
            <Fact key={key} name={name}>
              <Copyable text={address} label={`Copy: ${name}`} />
            </Fact>
          )
        );
      })}
    </Facts>
  </Card>
);
