import 'pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css';
import mermaid from 'mermaid';
import { type DiagramReply, type DiagramRequest, readRequest } from './messages.ts';

// The page of a frame that draws one diagram. It has no origin of its own (`sandbox`), so that what a model writes into a diagram
// reaches neither the session nor the page around it: it gets a source, and gives its height.

const family = 'Pretendard Variable';
const font = `"${family}", system-ui, -apple-system, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", sans-serif`;

const tell = (message: DiagramReply) => parent.postMessage(message, '*');

async function draw({ source, dark }: DiagramRequest): Promise<void> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: dark ? 'dark' : 'neutral',
    fontFamily: font,
    maxTextSize: 50_000,
    maxEdges: 1_000,
    suppressErrorRendering: true,
  });
  try {
    // Boxes are measured by their words: the letters of those have to be here.
    await document.fonts.load(`16px "${family}"`, source);
    const { svg } = await mermaid.render('diagram', source);
    document.body.innerHTML = svg;
    document.body.style.cssText = 'margin:0;display:flex;justify-content:center';
    const [drawn] = document.querySelectorAll('svg');
    // It may be smaller than its own measure, not larger.
    drawn?.style.setProperty('height', 'auto');
    tell({ height: Math.ceil(drawn?.getBoundingClientRect().height ?? 0) });
  } catch {
    tell({ height: null });
  }
}

addEventListener('message', ({ data, source }) => {
  if (source !== parent) return;
  const request = readRequest(data);
  if (request !== null) void draw(request);
});
tell({ ready: true });
