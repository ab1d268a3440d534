/** The values of KW_SECRET that processes of this database have used, each by its fingerprint. */
export const secrets = `
  create table secrets (
    fingerprint text primary key,
    created_at timestamptz(3) not null default now(),
    -- When a process last started to sign and seal with it instead of another one. The newest is the current one.
    current_since timestamptz,
    -- When a process that signs with it last reported.
    used_at timestamptz(3)
  );
`;
