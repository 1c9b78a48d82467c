-- A call may be tried several times, each time with a receipt of its own. `request_id` is the same for all of them.
alter table calls add column attempt smallint not null default 1;
-- The route that chose the model; null where the caller did.
alter table calls add column route text;
