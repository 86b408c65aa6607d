import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../agents.module.css';
import { useLazyNamespace } from '../../../i18n/use-lazy-namespace.ts';
import type { Piece } from './word-diff.ts';
import { knownValue } from './known.tsx';

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const isText = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** As people read it: words as they are, short lists line by line, anything else as JSON. */
function written(value: unknown): string {
  if (isText(value)) return String(value);
  if (Array.isArray(value) && value.every(isText)) return value.join('\n');
  return JSON.stringify(value, null, 2);
}

type Side = 'before' | 'after';

/** Values that people choose by words: what the builder calls them. */
function useChoiceWords(): (name: string, value: unknown) => string | null {
  const { t } = useTranslation('agents');
  const { t: builder } = useTranslation('agentBuilder');
  const there = useLazyNamespace('agentBuilder');
  return (name, value) => {
    if (typeof value === 'boolean') return t(value ? 'values.yes' : 'values.no');
    const field = name.split('.').at(-1);
    if (!there) return null;
    if (field === 'reasoning' && (value === 'default' || value === 'on' || value === 'off'))
      return builder(`reasonings.${value}`);
    if (field === 'match' && (value === 'all' || value === 'any')) return builder(`match_${value}`);
    if (field === 'search_type' && (value === 'hybrid' || value === 'keyword' || value === 'vector'))
      return builder(`search_types.${value}`);
    return null;
  };
}

/** Words that the other side has not. */
function Marked({ pieces, side }: { readonly pieces: readonly Piece[]; readonly side: Side }) {
  const Mark = side === 'before' ? 'del' : 'ins';
  let place = 0;
  return pieces.map(({ text, changed }) => {
    const key = place;
    place += text.length;
    return changed ? (
      <Mark key={key} className={classes['mark']}>
        {text}
      </Mark>
    ) : (
      <span key={key}>{text}</span>
    );
  });
}

interface ValueProps {
  /** What the field is called in a definition or a result. */
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  /** Which side of a difference it is. */
  readonly side?: Side;
  /** Of a text with another one beside it. */
  readonly pieces?: readonly Piece[];
}

/** One value of a definition or a trace. */
export function Value({ name, label, value, side, pieces }: ValueProps) {
  const { t } = useTranslation('agents');
  const words = useChoiceWords();
  const choice = words(name, value);
  const known = knownValue(name, value) ?? choice;
  const look = [classes['value'], side === undefined ? null : classes[side], known === null ? classes['code'] : null]
    .filter((one) => one !== null)
    .join(' ');
  return (
    <div className={classes['field']}>
      <Text size="xs" c="dimmed" mb={2}>
        {label}
      </Text>
      {isEmpty(value) ? (
        <Text size="sm" c="dimmed">
          {t('difference.empty')}
        </Text>
      ) : (
        // Text that is longer than its place is scrolled by keys too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div role="group" className={look} tabIndex={0} aria-label={label} lang="">
          {known ??
            (pieces === undefined || side === undefined ? written(value) : <Marked pieces={pieces} side={side} />)}
        </div>
      )}
    </div>
  );
}

interface ObjectValueProps extends Omit<ValueProps, 'pieces' | 'name'> {
  /** Fields that are not shown. */
  readonly without?: ReadonlySet<string>;
  /** What a field is called; left out: as the service calls it. */
  readonly labelOf?: (field: string) => string;
}

/** An object, field by field; what it leaves empty is left out. Anything else as a value. */
export function ObjectValue({ without, labelOf = (field) => field, ...props }: ObjectValueProps) {
  const { value, side } = props;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return <Value name="" {...props} />;
  const fields = Object.entries(value).filter(([key, one]) => without?.has(key) !== true && !isEmpty(one));
  return (
    <div className={classes['fields']}>
      {fields.map(([key, one]) => (
        <Value key={key} name={key} label={labelOf(key)} value={one} {...(side === undefined ? {} : { side })} />
      ))}
    </div>
  );
}
