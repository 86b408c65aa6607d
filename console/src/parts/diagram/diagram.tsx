import { Anchor, Loader, useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readReply } from '../../diagram/messages.ts';
import { CodeBlock } from '../code/code-block.tsx';
import classes from './diagram.module.css';

const MAX_HEIGHT = 720;
const FRAME = '/console/diagram.html';

/**
 * A diagram of Mermaid, drawn in a frame without an origin; its source where it cannot be drawn, and for whoever asks for it. It is
 * drawn once it comes near the window.
 */
export function Diagram({ source }: { readonly source: string }) {
  const { t } = useTranslation('parts');
  const dark = useComputedColorScheme('light') === 'dark';
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  const [state, setState] = useState<'waiting' | 'drawn' | 'failed'>('waiting');
  const [showsSource, setShowsSource] = useState(false);
  const ask = () => frame.current?.contentWindow?.postMessage({ source, dark }, '*');
  const heard = useEffectEvent(({ source: from, data }: MessageEvent) => {
    if (from === null || from !== frame.current?.contentWindow) return;
    const reply = readReply(data);
    if (reply === null) return;
    if ('ready' in reply) return ask();
    setHeight(reply.height);
    setState(reply.height === null ? 'failed' : 'drawn');
  });
  useEffect(() => {
    const listener = (event: MessageEvent) => heard(event);
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  }, []);
  // The frame that is there already draws what has changed.
  useEffect(() => {
    frame.current?.contentWindow?.postMessage({ source, dark }, '*');
  }, [source, dark]);
  if (state === 'failed') return <CodeBlock code={source} language="mermaid" />;
  return (
    <figure className={classes['figure']}>
      <iframe
        ref={frame}
        src={FRAME}
        sandbox="allow-scripts"
        loading="lazy"
        title={t('diagram')}
        className={classes['frame']}
        style={{ height: Math.min(MAX_HEIGHT, (height ?? 96) + 2) }}
        data-state={state}
      />
      {state === 'waiting' ? <Loader size="sm" className={classes['wait'] ?? ''} aria-hidden /> : null}
      <figcaption className={classes['caption']}>
        <Anchor component="button" size="xs" aria-expanded={showsSource} onClick={() => setShowsSource(!showsSource)}>
          {t(showsSource ? 'diagram_hide' : 'diagram_source')}
        </Anchor>
      </figcaption>
      {showsSource ? <CodeBlock code={source} language="mermaid" /> : null}
    </figure>
  );
}
