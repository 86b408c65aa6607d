import { Button } from '@mantine/core';
import { useDisclosure, useElementSize, useMergedRef } from '@mantine/hooks';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './passage.module.css';
import { PassageView } from './passage-view.tsx';
import type { PassageProps } from './props.ts';

/** Space above what is shown first of a folded passage, in pixels. */
const ABOVE = 32;

/** A passage of which the part that was found, or else that with the first marked word, is shown until more is asked for. */
export function FoldedPassage({ text, spans = [], found }: PassageProps) {
  const { t } = useTranslation('parts');
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const { ref: measured, height: room } = useElementSize<HTMLDivElement>();
  const { ref: inner, height } = useElementSize<HTMLDivElement>();
  const [whole, { toggle }] = useDisclosure(false);
  const fold = useMergedRef(place, measured);
  const isClipped = height > room + 1;
  useEffect(() => {
    const { current: box } = place;
    const first = box?.querySelector('mark[data-found]') ?? box?.querySelector('mark');
    if (!box || !first || whole || height === 0) return;
    const above = first.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    box.scrollTop = above > box.clientHeight - ABOVE ? above - ABOVE : 0;
  }, [height, whole]);
  return (
    <>
      <div ref={fold} id={id} className={classes['fold']} data-whole={whole} data-clipped={isClipped} lang="">
        <div ref={inner}>
          <PassageView text={text} spans={spans} found={found} />
        </div>
      </div>
      {isClipped || whole ? (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={whole}
          aria-controls={id}
          onClick={toggle}
          className={classes['more'] ?? ''}
        >
          {t(whole ? 'passage_less' : 'passage_more')}
        </Button>
      ) : null}
    </>
  );
}
