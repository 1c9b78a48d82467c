/** The text of `tallystick --help`. */
export const usage = `Usage:
  tallystick [serve] [--workers N|auto]                run the service, in N processes; auto: by the processors
                   [--log-format pretty|json]          log format; pretty at a terminal, json elsewhere
  tallystick serve --demo [--calls N] …                run a local trial; an empty database gets the demo tenant
  tallystick migrate                                   update the database schema; processes may keep serving
  tallystick migrate --plan                            list what an update would do, and what it would wait for
  tallystick migrate --check                           exit with 0 when the schema is up to date, else with 1
  tallystick healthcheck                               exit with 0 when the service that has this environment is ready
  tallystick demo [--tenant NAME] [--calls N]          create a tenant with generated users, calls and spend;
                  [--days N] [--seed N]                prints its manager key
  tallystick tenant create NAME                        create a tenant; prints its first manager key
  tallystick tenant list                               list the tenants
  tallystick key create --tenant NAME --role manager   create a key, for example after a lock-out; the other roles are
                        [--name TEXT]                  auditor and member
  tallystick signing-key list                          list the keys that sign the record, and their states
  tallystick signing-key rotate                        create a new signing key and retire the current one
  tallystick signing-key retire ID [--compromised]     retire a key that was lost, or replaced in the configuration;
                                   [--by NAME]         --compromised records that others may have it
  tallystick master-key status                         list the keys that encrypt stored secrets, and their states
  tallystick master-key rotate                         encrypt all data keys under a new master key; the service keeps running
  tallystick master-key replace                        continue with a new master key after the old one was lost
  tallystick record drop --tenant NAME --export FILE   export the oldest part of a record, verify the file, then delete that
                         --before-seq N                part; the record continues from a signed checkpoint
                         | --before-date YYYY-MM-DD
  tallystick record accept-restore                     continue records that end before what was signed, after the database
                   [--checkpoint FILE]… [--by NAME]    was restored to an earlier state; the records say so.
                                                       --checkpoint adds one that was kept elsewhere, also later on
  tallystick rebuild calls [--tenant NAME]             rebuild the searchable calls from the record, for all tenants or one;
                                                       the service keeps running
  tallystick rebuild usage [--tenant NAME]             recount the hourly usage from the stored receipts
  tallystick verify FILE…                              check an export, a receipt or an attestation offline;
                                                       see tallystick verify --help
  tallystick --version                                 print the version

In a checkout, tallystick is: npm run tallystick --
Settings come from the environment and tallystick.yaml; docs/reference/configuration.md lists them.`
