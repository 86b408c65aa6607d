// Which of its two forms a request of A2A is in, and by which door it came.

export type A2aForm = '0.3' | '1.0';

/**
 * Two doors lead to one agent. `interface` keeps the words of the interface: texts in status messages, a failed run as an error. The doors
 * that cards name are plain A2A as its specification says: `json_rpc` in both forms, `http_json` in 1.0. Source: decisions section 4.
 */
export type A2aDoor = 'interface' | 'json_rpc' | 'http_json';

/** How what agents say is put on the wire. */
export interface A2aWire {
  readonly form: A2aForm;
  readonly door: A2aDoor;
}

/** A version as clients name it: `A2A-Version: 1.0`, also with a patch number. Null for one that is not spoken. */
export function formOfVersion(version: string | undefined): A2aForm | null {
  const text = (version ?? '').trim();
  // Source: A2A 1.0, 3.6.2: an empty value means 0.3.
  if (text === '') return '0.3';
  const [, known] = /^(0\.3|1\.0)(?:\.\d+)?$/.exec(text) ?? [];
  return (known as A2aForm | undefined) ?? null;
}

/** What is asked for, whatever its name. */
export type A2aVerb =
  | 'send'
  | 'stream'
  | 'get'
  | 'list'
  | 'cancel'
  | 'subscribe'
  | 'push-set'
  | 'push-get'
  | 'push-list'
  | 'push-delete'
  | 'card';

/** Method names of each form. Sources: A2A 0.3, section 7; A2A 1.0, section 9.4. */
const methods: Readonly<Record<A2aForm, ReadonlyMap<string, A2aVerb>>> = {
  '0.3': new Map([
    ['message/send', 'send'],
    ['message/stream', 'stream'],
    ['tasks/get', 'get'],
    ['tasks/cancel', 'cancel'],
    ['tasks/resubscribe', 'subscribe'],
    ['tasks/pushNotificationConfig/set', 'push-set'],
    ['tasks/pushNotificationConfig/get', 'push-get'],
    ['tasks/pushNotificationConfig/list', 'push-list'],
    ['tasks/pushNotificationConfig/delete', 'push-delete'],
    ['agent/getAuthenticatedExtendedCard', 'card'],
  ]),
  '1.0': new Map([
    ['SendMessage', 'send'],
    ['SendStreamingMessage', 'stream'],
    ['GetTask', 'get'],
    ['ListTasks', 'list'],
    ['CancelTask', 'cancel'],
    ['SubscribeToTask', 'subscribe'],
    ['CreateTaskPushNotificationConfig', 'push-set'],
    ['GetTaskPushNotificationConfig', 'push-get'],
    ['ListTaskPushNotificationConfigs', 'push-list'],
    ['DeleteTaskPushNotificationConfig', 'push-delete'],
    ['GetExtendedAgentCard', 'card'],
  ]),
};

/** A method name of 1.0 says so by itself. Source: decisions section 4. */
export const formOfMethod = (method: unknown, named: A2aForm): A2aForm =>
  typeof method === 'string' && methods['1.0'].has(method) ? '1.0' : named;

export const verbOf = (form: A2aForm, method: string): A2aVerb | null => methods[form].get(method) ?? null;
