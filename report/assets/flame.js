// SPDX-License-Identifier: GPL-2.0-or-later
// The script inside a flame graph: it fills the window, a click zooms, words are found. What is
// needed stands in the picture itself: frames are <g class="f"> of title, rect and text.
(function () {
	'use strict';
	var LEFT = 10, DRAWN = 1180, LETTER = 6.6, width = DRAWN;
	var id = function (name) { return document.getElementById(name); };
	var frames = [].map.call(document.querySelectorAll('g.f'), function (g) {
		var rect = g.querySelector('rect');
		return {
			g: g, rect: rect, text: g.querySelector('text'), name: g.getAttribute('data-n'),
			title: g.querySelector('title').textContent,
			x: +rect.getAttribute('x'), w: +rect.getAttribute('width'), y: +rect.getAttribute('y')
		};
	});
	var zoomed = null;

	function put(frame, x, w) {
		var fits = Math.floor((w - 6) / LETTER), name = frame.name;
		frame.rect.setAttribute('x', x);
		frame.rect.setAttribute('width', w);
		frame.text.setAttribute('x', x + 3);
		if (fits < 3)
			name = '';
		else if (name.length > fits)
			name = name.slice(0, fits - 2) + '..';
		frame.text.textContent = name;
	}

	function zoom(to) {
		var from = to ? to.x : LEFT, scale = width / (to ? to.w : DRAWN), slack = 0.005;
		zoomed = to;
		frames.forEach(function (frame) {
			var classes = frame.g.classList;
			classes.remove('x', 'p');
			if (!to || (frame.y <= to.y && frame.x >= to.x - slack && frame.x + frame.w <= to.x + to.w + slack)) {
				put(frame, LEFT + (frame.x - from) * scale, frame.w * scale);
			} else if (frame.y > to.y && frame.x <= to.x + slack && frame.x + frame.w >= to.x + to.w - slack) {
				put(frame, LEFT, width);
				classes.add('p');
			} else {
				classes.add('x');
			}
		});
		id('reset').classList.toggle('x', !to || to.w >= DRAWN);
	}

	// All that stands at the right keeps its distance from there. @data-right: pixels
	function fill() {
		var svg = id('flame'), height = +svg.getAttribute('height');
		var room = Math.max(700, window.innerWidth - (height > window.innerHeight ? 16 : 0));
		svg.setAttribute('width', room);
		svg.setAttribute('viewBox', '0 0 ' + room + ' ' + height);
		[].forEach.call(document.querySelectorAll('[data-right]'), function (item) {
			item.setAttribute('x', room - item.getAttribute('data-right'));
		});
		width = room - 2 * LEFT;
		zoom(zoomed);
	}

	function search(words) {
		var spans = [], sum = 0, end = 0, test;
		words = words.trim();
		try {
			test = new RegExp(words, 'i');
		} catch (error) {	// not a pattern: as it stands
			test = { test: function (name) { return name.toLowerCase().indexOf(words.toLowerCase()) >= 0; } };
		}
		frames.forEach(function (frame) {
			var hit = words !== '' && test.test(frame.name);
			frame.g.classList.toggle('m', hit);
			if (hit)
				spans.push(frame);
		});
		spans.sort(function (a, b) { return a.x - b.x || b.w - a.w; });
		spans.forEach(function (frame) {	// one above the other counts once
			var from = Math.max(frame.x, end), to = frame.x + frame.w;
			if (to > from)
				sum += to - from;
			end = Math.max(end, to);
		});
		id('found').textContent = words === '' ? '' :
			spans.length ? 'found: ' + (100 * sum / DRAWN).toFixed(1) + ' %' : 'not found';
	}

	frames.forEach(function (frame) {
		frame.g.addEventListener('click', function () { zoom(frame); });
		frame.g.addEventListener('mouseenter', function () { id('detail').textContent = frame.title; });
		frame.g.addEventListener('mouseleave', function () { id('detail').textContent = ' '; });
	});
	window.addEventListener('resize', fill);
	fill();
	id('reset').addEventListener('click', function () { zoom(null); });
	id('search').addEventListener('input', function () { search(this.value); });
	document.addEventListener('keydown', function (event) {
		if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
			id('search').focus();
			event.preventDefault();
		} else if (event.key === 'Escape') {
			id('search').value = '';
			search('');
			if (zoomed)
				zoom(null);
		}
	});
})();
