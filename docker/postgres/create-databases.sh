#!/bin/bash
# Run once by the PostgreSQL image, on an empty volume: a database and a role each for the service and for Temporal.
set -euo pipefail

psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
  --set=kw_password="$POSTGRES_KW_PASSWORD" --set=temporal_password="$POSTGRES_TEMPORAL_PASSWORD" <<'SQL'
create role kw login password :'kw_password';
create role temporal login password :'temporal_password';
create database kw owner kw;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke connect on database kw, temporal, temporal_visibility from public;
SQL
