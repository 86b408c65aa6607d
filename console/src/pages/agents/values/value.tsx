import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../agents.module.css';

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

interface ValueProps {
  readonly label: string;
  readonly value: unknown;
  /** Which side of a difference it is. */
  readonly side?: 'before' | 'after';
}

/** One value of a definition or a trace. */
export function Value({ label, value, side }: ValueProps) {
  const { t } = useTranslation('agents');
  const look = side === undefined ? classes['value'] : `${classes['value']} ${classes[side]}`;
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
        <section className={look} tabIndex={0} aria-label={label} lang="">
          {written(value)}
        </section>
      )}
    </div>
  );
}

interface WholeProps extends ValueProps {
  /** Fields that are not shown. */
  readonly without?: ReadonlySet<string>;
}

/** An object, field by field; what it leaves empty is left out. Anything else as a value. */
export function Whole({ without, ...props }: WholeProps) {
  const { value, side } = props;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return <Value {...props} />;
  const fields = Object.entries(value).filter(([key, one]) => without?.has(key) !== true && !isEmpty(one));
  return (
    <div className={classes['fields']}>
      {fields.map(([key, one]) => (
        <Value key={key} label={key} value={one} {...(side === undefined ? {} : { side })} />
      ))}
    </div>
  );
}
