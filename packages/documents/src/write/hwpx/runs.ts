import type { Span } from '../../document.ts';
import { isWritableLink } from '../links.ts';
import { escapeXml } from '../xml.ts';
import type { Letters, Shapes } from './shapes.ts';

export interface RunContext {
  readonly shapes: Shapes;
  /** A number that no other thing of the document has. */
  readonly id: () => number;
  /** The control of a note; null for a note that is not there, or was there before. */
  readonly note: (id: string) => string | null;
}

const signs: Readonly<Record<string, string>> = {
  '\n': '<hp:lineBreak/>',
  '\t': '<hp:tab width="4000" leader="0" type="1"/>',
};

/** Text with its line breaks and tabs. */
const textXml = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .split(/([\n\t])/)
    .map((piece) => signs[piece] ?? escapeXml(piece))
    .join('');

/** A run: text, or a control. */
export const runOf = (letters: number, content: string): string =>
  `<hp:run charPrIDRef="${letters}">${content}</hp:run>`;

const lettersOf = (base: Letters, { bold, italic, strike, script, code }: Span, link: boolean): Letters => ({
  ...base,
  ...(bold ? { bold } : {}),
  ...(italic ? { italic } : {}),
  ...(strike ? { strike } : {}),
  ...(script === undefined ? {} : { script }),
  ...(code ? { face: 'mono' as const } : {}),
  ...(link ? { link } : {}),
});

/** Signs that mean something in the command of a link. */
const inCommand = (address: string): string => address.replaceAll(/[\\:;?]/g, String.raw`\$&`);

function linkXml(address: string, letters: number, text: string, id: number): string {
  const strings = [
    ['Command', `${inCommand(address)};1;0;0;`],
    ['Path', address],
    ['Category', 'HWPHYPERLINK_TYPE_URL'],
    ['TargetType', 'HWPHYPERLINK_TARGET_BOOKMARK'],
    ['DocOpenType', 'HWPHYPERLINK_JUMP_CURRENTTAB'],
  ].map(([name = '', value = '']) => `<hp:stringParam name="${name}">${escapeXml(value)}</hp:stringParam>`);
  const parameters = `<hp:parameters cnt="6" name=""><hp:integerParam name="Prop">0</hp:integerParam>${strings.join('')}</hp:parameters>`;
  const begin = `<hp:ctrl><hp:fieldBegin id="${id}" type="HYPERLINK" name="" editable="0" dirty="1" zorder="-1" fieldid="${id}">${parameters}</hp:fieldBegin></hp:ctrl>`;
  const end = `<hp:ctrl><hp:fieldEnd beginIDRef="${id}" fieldid="${id}"/></hp:ctrl>`;
  return runOf(letters, begin) + runOf(letters, `<hp:t>${text}</hp:t>`) + runOf(letters, end);
}

function spanXml(span: Span, base: Letters, context: RunContext): string {
  const { shapes } = context;
  if (span.note !== undefined) {
    const note = context.note(span.note);
    if (note !== null) return runOf(shapes.letter(base), note);
    return runOf(shapes.letter({ ...base, script: 'super' }), `<hp:t>${textXml(span.text)}</hp:t>`);
  }
  const link = span.link !== undefined && isWritableLink(span.link) ? span.link : null;
  const letters = shapes.letter(lettersOf(base, span, link !== null));
  const text = textXml(span.text);
  if (text === '') return '';
  return link === null ? runOf(letters, `<hp:t>${text}</hp:t>`) : linkXml(link, letters, text, context.id());
}

export const spansXml = (spans: readonly Span[], base: Letters, context: RunContext): string =>
  spans.map((span) => spanXml(span, base, context)).join('');
