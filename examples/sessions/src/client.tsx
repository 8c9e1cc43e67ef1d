import { createRoot } from 'react-dom/client';
import { App } from './App.js';

// The element is in the page, as index.html says.
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
