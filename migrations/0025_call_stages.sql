-- When each stage of a call ended, in hundredths of a millisecond after its arrival, in the order of `stageNames`. Known to the process that
-- made the call alone, so it is no part of the record and is not built again from it.
alter table calls add column stage_ends integer[];
