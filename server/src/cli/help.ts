const general = `AI Studio

  studio serve                     start the service (what "npm start" does)
  studio doctor                    look for what is wrong, and say what to do
  studio migrate                   bring the database up to date and end
  studio key create NAME           issue an API key; its value is shown once
  studio key list | delete ID      the API keys of this installation
  studio user create | reset EMAIL make or invite a person; a link that resets a password
  studio user email EMAIL NEW      another address to sign in with
  studio user operator EMAIL       rights of a platform operator, given or taken away
  studio user list                 the people of this installation
  studio models list               the models, and which engine answers for each
  studio models search | pull ID   models that can be downloaded; download one
  studio models use ID FILE        let a model file of this machine serve a model of the catalogue
  studio engines                   the addresses of model servers, and calls under way there
  studio engines drain | return ID give an address no new calls; put it back to work
  studio speech list | pull ID     speech models of this machine; download one
  studio reindex [COLLECTION …]    make the search index anew from the database
  studio search move --to PLACE    fill the search index of another place, while the service runs
  studio search reshard            give large collections in OpenSearch as many shards as they want
  studio backup [FOLDER]           copy the installation, also while it runs
  studio restore FOLDER            make an installation of a copy
  studio config print | schema     the configuration in force; its JSON schema
  studio version | help [COMMAND]

In this folder a command is written "npm run studio -- doctor".
Every setting may be given as a flag (--server.port=9000), as a variable (STUDIO_SERVER_PORT=9000)
or in studio.yaml; see studio.example.yaml. --config=FILE names another file.`;

const details: Readonly<Record<string, string>> = {
  serve: `studio serve [--port=8080] [--host=127.0.0.1] [--workers=1] [--config=FILE] [--KEY=VALUE …]

Starts the service and runs until it is stopped. Ctrl-C or SIGTERM lets open answers finish; a second one ends at once.
The first start prints an API key and a link with which the first administrator of the console makes their account. For
automation STUDIO_INIT_API_KEY registers a key of your own instead, and STUDIO_ADMIN_EMAIL with STUDIO_ADMIN_PASSWORD makes
that administrator; both count only while there is none.`,
  doctor: `studio doctor [--json]

Looks at Node.js, the configuration, the data folder, the database, ports, engines and the machine, and says what to do
about each thing that is wrong. Changes nothing. The exit code is 1 when something keeps the service from working.`,
  migrate: `studio migrate

Brings the database up to date and ends. "studio serve" does this by itself; use it where a deployment does it apart.`,
  key: `studio key create NAME [--scopes=chat,embeddings] [--models=ID,ID] [--requests-per-minute=N] [--tokens-per-minute=N]
                  [--expires=2027-01-31] [--tool-stream=openai|arguments] [--agent-models]
                  [--privacy=off|report|mask|refuse] [--json]
studio key list [--json]
studio key delete ID

Works beside a running service, which takes new keys and refuses deleted ones at once.`,
  user: `studio user create EMAIL [--role=user|developer|administrator] [--name=NAME] [--tenant=NAME_OR_ID] [--password-stdin]
studio user reset EMAIL
studio user email EMAIL NEW_EMAIL
studio user operator EMAIL [--withdraw]
studio user list [--json]

Without a password "create" prints an invitation: a link that works once, with which the person chooses one. The first
person of an installation is an administrator and operates the platform. "reset" prints a link that works once for 24 hours;
second factors and passkeys of the person are removed when it is used. "operator" gives the rights of a platform operator, and
with --withdraw takes them away, which disabling somebody in a tenant does not. Works beside a running service.`,
  models: `studio models list [--json]

The models of the catalogue and the model files of this machine, the engines bound to each, and whether those answer now.

studio models use ID LOCAL_ID_OR_FILE    serve a model of the catalogue by a local one, whose keys and form stay; or give a local
                                         one a new name, such as text-embedding-3-small
studio models set NAME FLAGS             how an embedding model is read: --pooling mean|cls|last, --max-tokens N, --query-prefix TEXT,
                                         --passage-prefix TEXT, --normalize yes|no, --reset; "models use" takes these too
studio models unuse ID                   give it back to the engines of the configuration
studio models search [TEXT] [--json]     models that can be downloaded, with size and licence
studio models recommend [TEXT] [--json]  what fits this machine, and why; --language ko says it in Korean
studio models pull ID [--json]           download one, or OWNER/REPOSITORY/FILE.gguf of the hub, or an address; a download that
                                         was cut goes on where it was; --unverified confirms one that is not pinned wholly
studio models cancel ID                  end a download, of whichever process; what came is kept
studio models import FILE.gguf [--force] copy a file into the folder of models, where it is served under its name
studio models remove LOCAL_ID [--force]  remove a model with all its files; --force also one that serves an id, that collections need, or that is in use
studio models load | unload LOCAL_ID     into the memory of the running service, and out of it
studio models pin | unpin LOCAL_ID       keep it there

They work beside a running service, which follows at once.`,
  engines: `studio engines [list] [--json]

The addresses of the model servers of the configuration and of the console: weight, calls under way of the service on this machine,
and whether they take calls.

studio engines drain ENGINE [ADDRESS]    give it no new calls; those under way go on. ENGINE is a name under engines, or one of its
                                         addresses such as gov/0
studio engines return ENGINE [ADDRESS]   put it back to work

All processes of the service follow at once. A drained address stays so over restarts.`,
  speech: `studio speech list [--json]

The speech models of this machine, and those that can be downloaded.

studio speech pull ID                    download one; a download that was cut goes on where it was. A running service offers it
                                         once it is started again`,
  reindex: `studio reindex [COLLECTION_ID …]

Makes the search index of all collections, or of those that are named, anew from the database, with the vectors that are stored
there: no model is asked. Works beside a running service, whose searches wait that long. An index that is lost is made anew
by itself; this is for one that is suspected to be wrong.`,
  search: `studio search move --to opensearch|embedded

Fills the search index in OpenSearch (search.url names it), or the one beside the files, from the database, and compares it
with the database by counts and samples. A running service goes on with the index that it has; what is in the other place
already is kept, so a second run brings only what came meanwhile. docs/guide/search.md says how to change over.

studio search reshard [COLLECTION_ID …]

Makes the index of each collection anew, beside the one that it has, whose number of shards is another than search.shards and
search.rows_per_shard say by now; of all collections, or of those that are named. Searches and writes go on. Collections that share
an index stay as they are.`,
  backup: `studio backup [FOLDER] [--with-key] [--json]

Copies the rows of the database as of one moment and the files that they name into a new folder (of data_dir/backups unless another
is named), also while the service runs; with --with-key the key of the secrets as well. The search index is not copied, as it is made anew from
the rows; with search.snapshot_repository OpenSearch makes a snapshot of it. Files in object storage are not copied either.`,
  restore: `studio restore FOLDER [--data_dir=EMPTY_FOLDER]

Makes an installation of a copy, in an empty data folder; then start the service as ever. The search index is made anew when it
starts, or brought back from its snapshot in OpenSearch and compared with the rows.`,
  config: `studio config print [--json]     the configuration in force, secrets hidden
studio config schema             the JSON schema of studio.yaml, for editors`,
};

/** Help on a command, or on all. */
export const helpText = (command?: string): string => (command === undefined ? general : (details[command] ?? general));
