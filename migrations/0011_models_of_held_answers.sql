-- Another model counts the same answer otherwise: an image has thirty times as many tokens on some. What was kept without its
-- model is worth nothing, so it is taken for as long as the context window.
alter table held_answers add column model text not null default '';
