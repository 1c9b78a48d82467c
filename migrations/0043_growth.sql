-- expand: a column with a default and a new table; older programs do not use them.
-- Whether the hours of a closed day were added up to one row for each combination. A day that is opened again and closed is added up again.
alter table closed_usage_days add column rolled boolean not null default false;
-- Up to which size the seals of a record were thinned out.
create table seal_thinning (
  tenant_id text primary key references tenants (id) on delete cascade,
  size      bigint not null
);
