-- How many tokens are in answers that a provider keeps, and in all that they followed: a later call that names one reads them
-- again. From the receipts; old ones are deleted.
create table held_answers (
  tenant_id  text not null references tenants,
  answer_id  text not null,
  tokens     bigint not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, answer_id)
);
create index held_answers_by_age on held_answers using brin (created_at);

-- Corrections of costs, by the entry that they correct.
create table adjustments (
  tenant_id  text not null references tenants,
  adjusts    bigint not null,
  seq        bigint not null,
  cost_nanos bigint not null,
  primary key (tenant_id, adjusts, seq)
);
