import type { Properties } from './msg-properties.ts';

/** Lines of an item of Outlook that is no mail: what they are called, and where their text lies. */
interface ItemLine {
  readonly label: string;
  readonly ids: readonly string[];
  /** The number that items of its kind give it, where the file numbers it itself. */
  readonly named?: number;
  readonly isTime?: boolean;
}

/** Source: MS-OXOCAL, MS-OXOCNTC, MS-OXOTASK. */
const kinds: readonly { readonly kind: RegExp; readonly lines: readonly ItemLine[] }[] = [
  {
    kind: /^IPM\.(?:Appointment|Schedule\.Meeting)/i,
    lines: [
      { label: 'Start', ids: ['0060'], named: 0x820d, isTime: true },
      { label: 'End', ids: ['0061'], named: 0x820e, isTime: true },
      { label: 'Location', ids: [], named: 0x8208 },
      { label: 'Recurrence', ids: [], named: 0x8232 },
    ],
  },
  {
    kind: /^IPM\.Contact/i,
    lines: [
      { label: 'Name', ids: ['3001'] },
      { label: 'Company', ids: ['3A16'] },
      { label: 'Department', ids: ['3A18'] },
      { label: 'Title', ids: ['3A17'] },
      { label: 'Email', ids: [], named: 0x8083 },
      { label: 'Business phone', ids: ['3A08'] },
      { label: 'Mobile phone', ids: ['3A1C'] },
      { label: 'Home phone', ids: ['3A09'] },
      { label: 'Fax', ids: ['3A24'] },
      { label: 'Address', ids: [], named: 0x801b },
      { label: 'Web page', ids: ['3A51'] },
    ],
  },
  {
    kind: /^IPM\.Task/i,
    lines: [
      { label: 'Start', ids: [], named: 0x8104, isTime: true },
      { label: 'Due', ids: [], named: 0x8105, isTime: true },
      { label: 'Owner', ids: [], named: 0x811f },
    ],
  },
];

/** What an appointment, a contact or a task says beside its subject and its text. */
export function outlookItem(properties: Properties): readonly (readonly [label: string, value: string])[] {
  const kind = properties.text('001A');
  const lines = kinds.find((one) => one.kind.test(kind))?.lines ?? [];
  return lines.flatMap(({ label, ids, named, isTime = false }): [string, string][] => {
    const own = named === undefined ? null : properties.named(named);
    const values = [...(own === null ? [] : [own]), ...ids].map((id) =>
      isTime ? (properties.time(id) ?? '') : properties.text(id),
    );
    const value = values.find((one) => one !== '');
    return value === undefined ? [] : [[label, value]];
  });
}
