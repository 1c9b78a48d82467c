-- What became of each attempt of a delivery, for people who look for why it did not arrive. Written with its outcome, gone with its
-- delivery. Never anything that the receiver said but its status.
create table webhook_attempts (
  endpoint_id text not null,
  delivery_id text not null,
  -- A delivery that is sent again begins to count its attempts anew: they are told apart by their order.
  id          bigint generated always as identity,
  at          timestamptz not null,
  duration_ms integer not null,
  status_code integer,
  error       text,
  primary key (endpoint_id, delivery_id, id),
  foreign key (endpoint_id, delivery_id) references webhook_deliveries on delete cascade
);
