import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../parts/use-format.ts';

const DAY = 1_440;
const HOUR = 60;

/** Says how often a connection is synced, in the language of the page; null is by hand alone. */
export function useSchedule(): (minutes: number | null) => string {
  const { t } = useTranslation('connections');
  const { number } = useFormat();
  return (minutes) => {
    if (minutes === null) return t('by_hand');
    if (minutes % DAY === 0) return minutes === DAY ? t('daily') : t('every_days', { days: number(minutes / DAY) });
    if (minutes % HOUR === 0)
      return minutes === HOUR ? t('hourly') : t('every_hours', { hours: number(minutes / HOUR) });
    return t('every_minutes', { minutes: number(minutes) });
  };
}
