-- expand: how large a provider's answers may be, as far as somebody set it; the service has defaults for the rest.
alter table providers add column limits jsonb not null default '{}';
