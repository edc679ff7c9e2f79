import './theme/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { Broken } from './app/Broken';
import { connect } from './connect';

const root = createRoot(document.getElementById('root')!);

connect().then(
  () => root.render(<App />),
  (error: Error) => root.render(<Broken title="Penstock cannot be reached" message={error.message} />),
);
